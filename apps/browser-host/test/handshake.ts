import { WebSocket } from 'ws';

/** HTTP status with which a WebSocket handshake is refused; 101 when it is not. */
export function handshake(url: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    socket.on('unexpected-response', (request, response) => {
      resolve(response.statusCode ?? 0);
      request.destroy();
    });
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.on('error', () => undefined);
  });
}
