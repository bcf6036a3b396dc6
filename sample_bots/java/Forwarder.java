// Forwards TCP, which gRPC for Java always supports, to the unix socket of a hosted match.
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

final class Forwarder {
  private Forwarder() {}

  /** Returns an address that gRPC can connect to: the same for TCP, a local port for a unix socket. */
  static String reach(String address) throws IOException {
    if (!address.startsWith("unix:")) return address;
    UnixDomainSocketAddress socket = UnixDomainSocketAddress.of(address.substring("unix:".length()));
    ServerSocketChannel listener = ServerSocketChannel.open();
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    start(() -> {
      while (true) {
        SocketChannel near = listener.accept();
        SocketChannel far = SocketChannel.open(socket);
        start(() -> pump(near, far));
        start(() -> pump(far, near));
      }
    });
    return "127.0.0.1:" + ((InetSocketAddress) listener.getLocalAddress()).getPort();
  }

  private static void pump(SocketChannel from, SocketChannel to) throws IOException {
    try (from; to) {
      ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
      while (from.read(buffer) >= 0) {
        buffer.flip();
        while (buffer.hasRemaining()) to.write(buffer);
        buffer.clear();
      }
    }
  }

  private interface Work {
    void run() throws IOException;
  }

  private static void start(Work work) {
    Thread thread = new Thread(() -> {
      try {
        work.run();
      } catch (IOException ended) {
        // Either side has hung up; gRPC notices by itself.
      }
    });
    thread.setDaemon(true);
    thread.start();
  }
}
