//! As much of gRPC as a bot needs, over HTTP/2: one stream of messages in both directions.

use bytes::{Buf, BufMut, Bytes, BytesMut};
use h2::{RecvStream, SendStream};
use http::{HeaderMap, Request};
use prost::Message;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpStream, UnixStream};

pub type Failure = Box<dyn std::error::Error>;

const HEAD: usize = 5; // before every message: whether it is compressed, and its length

pub struct Stream {
    outgoing: SendStream<Bytes>,
    incoming: RecvStream,
    headers: HeaderMap,
    received: BytesMut,
}

impl Stream {
    /// Connects to `unix:PATH` or `HOST:PORT` and calls a method with a first message, which the referee waits for.
    pub async fn open(address: &str, method: &str, first: &impl Message) -> Result<Stream, Failure> {
        match address.strip_prefix("unix:") {
            Some(path) => Stream::start(UnixStream::connect(path).await?, method, first).await,
            None => {
                let socket = TcpStream::connect(address).await?;
                socket.set_nodelay(true)?;
                Stream::start(socket, method, first).await
            }
        }
    }

    async fn start<S>(socket: S, method: &str, first: &impl Message) -> Result<Stream, Failure>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let (requests, connection) = h2::client::handshake(socket).await?;
        tokio::spawn(connection); // moves bytes in both directions, and answers pings
        let request = Request::post(format!("http://referee/{method}"))
            .header("content-type", "application/grpc")
            .header("te", "trailers")
            .body(())?;
        let (response, mut outgoing) = requests.ready().await?.send_request(request, false)?;
        outgoing.send_data(framed(first), false)?;
        let (head, incoming) = response.await?.into_parts();
        Ok(Stream { outgoing, incoming, headers: head.headers, received: BytesMut::new() })
    }

    /// Hands over a message to be sent.
    pub fn send(&mut self, message: &impl Message) -> Result<(), Failure> {
        Ok(self.outgoing.send_data(framed(message), false)?)
    }

    /// Waits for the next message; none when the referee has ended the stream cleanly.
    pub async fn receive<M: Message + Default>(&mut self) -> Result<Option<M>, Failure> {
        loop {
            if let Some(message) = unframed(&mut self.received) {
                return Ok(Some(M::decode(message)?));
            }
            match self.incoming.data().await {
                Some(Ok(chunk)) => {
                    self.incoming.flow_control().release_capacity(chunk.len())?;
                    self.received.extend_from_slice(&chunk);
                }
                Some(Err(error)) if is_failure(&error) => return Err(error.into()),
                _ => return self.ended().await.map(|()| None),
            }
        }
    }

    /// Reads how the stream has ended: in the trailers, or in the headers if there was nothing in between.
    async fn ended(&mut self) -> Result<(), Failure> {
        let trailers = match self.incoming.trailers().await {
            Err(error) if is_failure(&error) => return Err(error.into()),
            trailers => trailers.ok().flatten(),
        };
        let told = trailers.as_ref().unwrap_or(&self.headers);
        let text = |name| told.get(name).map_or("", |value| value.to_str().unwrap_or("")).to_owned();
        match text("grpc-status").as_str() {
            "0" => Ok(()),
            status => Err(format!("status {status} {}", text("grpc-message")).into()),
        }
    }
}

/// A server that has said everything may reset the stream without an error.
fn is_failure(error: &h2::Error) -> bool {
    error.reason() != Some(h2::Reason::NO_ERROR)
}

fn framed(message: &impl Message) -> Bytes {
    let mut frame = BytesMut::with_capacity(HEAD + message.encoded_len());
    frame.put_u8(0); // not compressed
    frame.put_u32(message.encoded_len() as u32);
    message.encode(&mut frame).expect("there is room");
    frame.freeze()
}

/// Takes the first message off the bytes received, if all of it is there.
fn unframed(received: &mut BytesMut) -> Option<BytesMut> {
    let length = u32::from_be_bytes(received.get(1..HEAD)?.try_into().ok()?) as usize;
    if received.len() < HEAD + length {
        return None;
    }
    received.advance(HEAD);
    Some(received.split_to(length))
}
