import { createApp } from './create-app.js';
import { readApiConfig } from './config.js';

try {
  const config = readApiConfig(process.env);
  const app = await createApp(config);
  await app.listen(config.apiPort, config.listenAddress);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
