/** `npm start`, and with an app's name `npm run start:api`, `start:worker`, `start:browser-host` (D51). */
import { fileURLToPath } from 'node:url';
import { appsBelow } from './launcher/apps.js';
import { runLauncher } from './launcher/run-launcher.js';

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '');

await runLauncher(
  { root, apps: appsBelow(root), migrate: ['npm', 'run', '--silent', 'migrate:deploy'], migrateIn: `${root}/packages/database` },
  process.argv[2],
  process.env,
);
