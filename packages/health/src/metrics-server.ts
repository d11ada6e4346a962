import { createServer, type Server } from 'node:http';

export const metricsContentType = 'text/plain; version=0.0.4; charset=utf-8';

/** Serves metrics on a port of their own (BERTH_METRICS_PORT). Rejects when the port cannot be taken. Whoever starts it closes it. */
export async function serveMetrics(metrics: () => Promise<string>, port: number, address: string): Promise<Server> {
  const server = createServer((_request, response) => {
    metrics().then(
      (text) => response.setHeader('Content-Type', metricsContentType).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => server.once('error', reject).listen(port, address, () => resolve(server)));
}
