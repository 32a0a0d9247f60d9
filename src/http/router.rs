//! All routes.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::routing::{MethodRouter, get, post};

use super::app::App;
use super::assets::not_found;
use super::body::refuse;
use super::problem::ProblemResponse;
use super::{assets, batch, best_move, games, mcp, operations, position, review, tree};
use bestmove_api::{AnalysisRequest, BestMoveRequest, Problem};

/// The route for assistants. A setting leaves it out.
pub const MCP: &str = "/mcp";

/// A path and its handlers.
pub type Route = (&'static str, MethodRouter<Arc<App>>);

/// All routes: those of the contract, other names of the health, and the files of the pages.
pub fn routes() -> Vec<Route> {
    let others = [
        // The health by the names that operators are used to.
        ("/healthz", get(operations::health)),
        ("/livez", get(operations::health)),
        ("/readyz", get(operations::ready)),
        // The files of the playground and of the page that shows the contract.
        ("/", get(assets::file)),
        ("/web/{file}", get(assets::file)),
        ("/web/texts/{file}", get(assets::file)),
        ("/docs/{file}", get(assets::file)),
    ];
    contract_routes().into_iter().chain(others).collect()
}

/// The routes of the contract.
pub fn contract_routes() -> Vec<Route> {
    vec![
        ("/best-move", get(best_move::by_query).post(best_move::by_body::<BestMoveRequest>)),
        (
            "/best-move/stream",
            get(best_move::stream_by_query).post(best_move::stream_by_body::<BestMoveRequest>),
        ),
        ("/best-move/batch", post(batch::by_lines)),
        ("/best-move.txt", get(best_move::text_by_query)),
        ("/analyze", post(best_move::by_body::<AnalysisRequest>)),
        ("/analyze/stream", post(best_move::stream_by_body::<AnalysisRequest>)),
        ("/review", post(review::review)),
        ("/review/stream", post(review::stream)),
        ("/tree", post(tree::json)),
        ("/position", post(position::describe)),
        ("/board.svg", get(position::picture)),
        ("/games", get(games::list)),
        ("/games/{game}", get(games::describe)),
        ("/health", get(operations::health)),
        ("/health/ready", get(operations::ready)),
        (MCP, post(mcp::answer)),
        ("/metrics", get(operations::metrics)),
        ("/openapi.yaml", get(assets::file)),
        ("/openapi.json", get(assets::file)),
        ("/docs", get(assets::file)),
        ("/llms.txt", get(assets::file)),
    ]
}

pub(super) fn router(routes: Vec<Route>, app: Arc<App>) -> Router {
    let all = Router::new();
    let all = routes.into_iter().fold(all, |all, (path, methods)| all.route(path, methods));
    all.method_not_allowed_fallback(method_not_allowed).fallback(not_found).with_state(app)
}

/// Answers any other method. The outermost layer adds the allowed methods.
async fn method_not_allowed(State(app): State<Arc<App>>, request: Request) -> ProblemResponse {
    let problem = Problem::method_not_allowed(request.method().as_str());
    refuse(request, &app, problem).await
}
