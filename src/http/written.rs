//! A body that is written while the client reads it.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use hyper::body::Frame;
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// Where the author of a body puts its pages, one at a time.
pub(super) type Pages = Sender<Bytes>;

/// A body by this `author`, who writes no faster than the client reads, and stops when it leaves.
pub(super) fn written<F>(author: impl FnOnce(Pages) -> F) -> Body
where
    F: Future<Output = ()> + Send + 'static,
{
    let (sender, pages) = channel(1);
    Body::new(Written { author: Some(Box::pin(author(sender))), pages })
}

struct Written {
    author: Option<Pin<Box<dyn Future<Output = ()> + Send>>>,
    pages: Receiver<Bytes>,
}

impl HttpBody for Written {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let framed = |page: Option<Bytes>| page.map(|page| Ok(Frame::data(page)));
        if let Poll::Ready(page) = self.pages.poll_recv(cx) {
            return Poll::Ready(framed(page));
        }
        if let Some(author) = &mut self.author
            && author.as_mut().poll(cx).is_ready()
        {
            self.author = None;
        }
        self.pages.poll_recv(cx).map(framed)
    }
}
