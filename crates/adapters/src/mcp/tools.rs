//! The tools: their names and descriptions, and their calls of the service.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest,
    CustomResult, ErrorCode, Implementation, InitializeRequestParams, JsonObject, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tracing::{Instrument, Span};

use super::arguments;
use bestmove_api::{
    AnalysisRequest, BestMoveRequest, BoardSvgRequest, GameList, Job, PositionAnswer,
    PositionRequest, Prepare, Problem, ReviewRequest, read_object, read_value,
};
use bestmove_engine::game::excerpt;
use bestmove_engine::games::catalogue;
use bestmove_service::{Failure, FoundAnswer, Priority, Service, log_answer, write_json};

/// The instructions that an assistant gets when it connects.
const INSTRUCTIONS: &str = "\
Board games: the best move, the value of every move, the review of a game, and pictures of positions. Nothing is \
kept between calls: give the game, a position (the start of the game where it is absent) and the moves played from it. \
Never work out positions or legal moves by yourself: get_position tells the board and the legal moves, and best_move \
tells the position after its move.";

/// A part of the description of all tools that search.
const SEARCHING: &str = "\
Depth, nodes or time_ms bound the search; without any of them the game's default answers quickly. Without time_ms, the \
same arguments give the same result. Values are from the view of the side to move.";

/// A part of the description of all tools that take a position.
const MISTAKES: &str = "\
A mistake is answered with an error that says what to change: field is its place, and allowed lists the legal moves where \
a move is illegal.";

/// A part of the description of all tools that take a position.
const POSITIONS: &str = "\
Never edit a position by hand: give the moves played from it. get_position tells the position after them, best_move and \
analyze_position the one after the best move too (after.position).";

/// The schemas of arguments and results, which `write-docs` makes from the contract.
const SCHEMAS: &str = include_str!("schemas.json");

/// The schemas of a tool.
#[derive(Deserialize)]
struct ToolSchemas {
    input: JsonObject,
    output: Option<JsonObject>,
}

/// The tools, defined when the first assistant asks.
static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(definitions);

/// The definitions of the tools.
fn definitions() -> Vec<Tool> {
    let mut schemas: HashMap<String, ToolSchemas> =
        serde_json::from_str(SCHEMAS).unwrap_or_default();
    let tools = [
        (
            "list_games",
            "Games",
            "Lists the games with the notations of their positions and moves, and with their algorithms, evaluators, levels \
             and depths."
                .to_owned(),
        ),
        (
            "get_position",
            "Position",
            plain(
                "Tells the board after some moves, who is to move, every legal move with the position that it leads to, \
                 whether the game is over, and the board drawn in characters (text).",
            ),
        ),
        (
            "best_move",
            "Best move",
            searching(
                "Finds the best move of a position, its value, the line that is expected, and the position after the move. \
                 level, 1 to 10, makes a weaker player.",
            ),
        ),
        (
            "analyze_position",
            "Analysis",
            searching(
                "Tells the value of every move of a position, or of the best few (top), best first, each with the line that \
                 is expected after it.",
            ),
        ),
        (
            "review_game",
            "Review",
            plain(
                "Reviews a whole game: for every move what it cost, a label from best to blunder, and the better move; for \
                 each side its accuracy. All values are from the view of the side that moves first. Takes time in proportion \
                 to the moves, so give nodes or depth rather than much time_ms.",
            ),
        ),
        (
            "render_board",
            "Picture",
            plain(
                "Draws a position: in characters, and as an image (SVG) with the last move, a winning line and a king in \
                 check marked.",
            ),
        ),
    ];
    let tools = tools.into_iter().filter_map(|(name, title, description)| {
        let ToolSchemas { input, output } = schemas.remove(name)?;
        let hints = ToolAnnotations::new().read_only(true).idempotent(true).open_world(false);
        let mut tool = Tool::new(name, description, input).with_title(title);
        tool.output_schema = output.map(Arc::new);
        Some(tool.with_annotations(hints))
    });
    tools.collect()
}

/// The description of a tool that searches a position.
fn searching(text: &str) -> String {
    plain(&format!("{text} {SEARCHING}"))
}

/// The description of a tool that takes a position.
fn plain(text: &str) -> String {
    format!("{text} {POSITIONS} {MISTAKES} {}", notations())
}

/// How positions and moves are written in each game, by examples.
fn notations() -> String {
    let games = catalogue().iter().map(|game| {
        let info = game.info();
        let (start, moves) = (info.start, info.moves.examples.join(", "));
        format!("{}: position \"{start}\" (the start), moves {moves}.", info.name)
    });
    let games = games.collect::<Vec<_>>().join(" ");
    format!("Notations, more of which list_games tells: {games}")
}

/// The tools, called by one assistant.
#[derive(Clone)]
pub(super) struct Tools {
    pub(super) service: Arc<Service>,
    /// The span of the HTTP request that calls the tools.
    pub(super) span: Span,
    /// The id of that request. Over standard input, where there is none, each call has an id of its own.
    pub(super) request_id: Option<String>,
}

impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("bestmove", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if page.is_some_and(|page| page.cursor.is_some()) {
            return Err(ErrorData::invalid_params(
                "the list is one page: leave out the cursor",
                None,
            ));
        }
        Ok(ListToolsResult::with_all_items(TOOLS.clone()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.called(request, context).await.map(Into::into)
    }

    /// Answers unknown methods, and known ones with wrong parameters, which the SDK passes on here too. Some models write all
    /// arguments of a call as one text.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let mut parameters = request.params.unwrap_or_else(|| JsonObject::new().into());
        let text = parameters.get("arguments").and_then(Value::as_str).unwrap_or_default();
        if request.method == "tools/call"
            && let Ok(arguments) = read_object(text.as_bytes())
        {
            parameters["arguments"] = arguments.into();
            if let Ok(call) = CallToolRequestParams::deserialize(&parameters) {
                let called = serde_json::to_value(self.called(call, context).await?);
                return called
                    .map(CustomResult)
                    .map_err(|error| ErrorData::internal_error(error.to_string(), None));
            }
        }
        Err(request_error(&request.method, &parameters))
    }
}

/// Why a request can't be answered: there is no such method, or its parameters are wrong.
pub(super) fn request_error(method: &str, parameters: &Value) -> ErrorData {
    let wrong = match method {
        "tools/call" => error::<CallToolRequestParams>(parameters),
        "tools/list" => error::<PaginatedRequestParams>(parameters),
        "initialize" => error::<InitializeRequestParams>(parameters),
        "ping" => None,
        _ => {
            return ErrorData::new(ErrorCode::METHOD_NOT_FOUND, excerpt(method).into_owned(), None);
        }
    };
    let wrong = wrong.unwrap_or_else(|| "expected an object".to_owned());
    ErrorData::invalid_params(format!("the parameters of {method}: {wrong}"), None)
}

/// The error of reading `value` as a `T`.
fn error<T: DeserializeOwned>(value: &Value) -> Option<String> {
    T::deserialize(value).err().map(|error| excerpt(&error.to_string()).into_owned())
}

impl Tools {
    /// The result of a call.
    async fn called(
        &self,
        CallToolRequestParams { name, arguments, .. }: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResult, ErrorData> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
            let names: Vec<_> = TOOLS.iter().map(|tool| &*tool.name).collect();
            let (name, names) = (excerpt(&name), names.join(", "));
            let detail = format!("there is no tool '{name}'; there are {names}");
            return Err(ErrorData::invalid_params(detail, None));
        };
        let schema = Value::Object(JsonObject::clone(&tool.input_schema));
        let arguments = arguments.unwrap_or_default();
        let arguments = arguments::without_additions(arguments, &schema);
        let arguments = match arguments::read_texts(arguments.into(), &schema) {
            Value::Object(arguments) => arguments,
            _ => JsonObject::new(),
        };
        let call = self.call(&name, arguments).instrument(self.span.clone());
        let called = tokio::select! {
            called = call => called,
            // The client has left or cancelled the call. Dropping the call stops its search.
            () = context.ct.cancelled() => {
                return Err(ErrorData::internal_error("the call was cancelled", None));
            }
        };
        Ok(called.unwrap_or_else(|failure| {
            let id = self.request_id.clone().unwrap_or_else(|| context.id.to_string());
            refused(&failure.into(), &id)
        }))
    }

    async fn call(&self, name: &str, arguments: JsonObject) -> Result<CallToolResult, Failure> {
        let (start, pool, mut found) = (Instant::now(), self.service.pool(), None);
        let json = match name {
            "get_position" => {
                let board = self.prepared::<PositionRequest>(arguments).await?;
                pool.run_short(move || write_json(&PositionAnswer::from(&*board))).await??
            }
            "best_move" => self.run::<BestMoveRequest>(arguments, &mut found).await?,
            "analyze_position" => self.run::<AnalysisRequest>(arguments, &mut found).await?,
            "review_game" => {
                let review = self.prepared::<ReviewRequest>(arguments).await?;
                self.service.review(review)?.finish().await?.0
            }
            "render_board" => return self.picture(arguments).await,
            _ => write_json(&GameList::of_catalogue())?,
        };
        let json: Bytes = pool.unsent(json)?;
        log_answer(200, start.elapsed(), found.as_ref());
        let mut result = CallToolResult::success(vec![text(&json)]);
        result.structured_content = serde_json::from_slice(&json).ok();
        Ok(result)
    }

    /// Reads the arguments of a tool as the body of a request.
    async fn prepared<R: Prepare>(&self, arguments: JsonObject) -> Result<R::Prepared, Failure> {
        self.service.prepare(move || read_value::<R>(Value::Object(arguments))).await
    }

    /// The answer to a job as JSON. The log reads `found`.
    async fn run<R: Prepare<Prepared = Job>>(
        &self,
        arguments: JsonObject,
        found: &mut Option<FoundAnswer>,
    ) -> Result<Bytes, Failure> {
        let job = self.prepared::<R>(arguments).await?;
        let answer = self.service.run(job, Priority::Single).await?;
        Ok(found.insert(answer).answered.json.clone())
    }

    async fn picture(&self, arguments: JsonObject) -> Result<CallToolResult, Failure> {
        let picture = self.prepared::<BoardSvgRequest>(arguments).await?;
        let drawn = self.service.pool().run_short(move || {
            let image = ContentBlock::image(BASE64_STANDARD.encode(picture.svg()), "image/svg+xml");
            CallToolResult::success(vec![ContentBlock::text(picture.text()), image])
        });
        drawn.await
    }
}

fn text(json: &[u8]) -> ContentBlock {
    ContentBlock::text(String::from_utf8_lossy(json).into_owned())
}

/// A problem as the result of a tool, which the assistant can read.
fn refused(problem: &Problem, request_id: &str) -> CallToolResult {
    let body = problem.body(request_id);
    let problem: Value = serde_json::from_str(&body).unwrap_or_default();
    let mut result = CallToolResult::error(vec![ContentBlock::text(body)]);
    result.structured_content = Some(problem);
    result
}
