import { createApp } from './create-app.js';
import { readApiConfig } from './config.js';

/**
 * Connections that may wait to be taken; Linux allows no more than `net.core.somaxconn`, 4 096 unless it is set. When another API process
 * goes, thousands of its clients come here within seconds: Node's 511 places fill up in a busy moment, and who finds none may be reset.
 */
const waitingConnections = 4_096;

try {
  const config = readApiConfig(process.env);
  const app = await createApp(config);
  await app.listen({ port: config.apiPort, host: config.listenAddress, backlog: waitingConnections });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
