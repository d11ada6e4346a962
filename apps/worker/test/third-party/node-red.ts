import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { addressOf, startProgram, type Application } from './application.js';

/**
 * Node-RED's editor (npm): a single page that draws its login into a dialog once its scripts have run, and keeps a token in localStorage.
 */
export async function startNodeRed(folder: string): Promise<Application> {
  const [username, password] = ['ada.nodered', randomBytes(12).toString('base64url')];
  writeFileSync(
    join(folder, 'settings.js'),
    `
    const user = { username: process.env.EDITOR_USER, permissions: '*' };
    module.exports = {
      uiHost: '127.0.0.1', flowFile: 'flows.json', telemetry: { enabled: false }, editorTheme: { tours: false },
      adminAuth: { type: 'credentials', users: async (name) => (name === user.username ? user : null), authenticate: async (name, word) => (name === user.username && word === process.env.EDITOR_PASSWORD ? user : null) },
    };`,
  );
  const { port, ...running } = await startProgram({
    command: process.execPath,
    args: (chosen) => [
      createRequire(import.meta.url).resolve('node-red/red.js'),
      '--userDir',
      folder,
      '--settings',
      join(folder, 'settings.js'),
      '--port',
      String(chosen),
    ],
    cwd: folder,
    env: { EDITOR_USER: username, EDITOR_PASSWORD: password },
  });
  const startUrl = addressOf('nodered', port);
  return {
    startUrl,
    otherHosts: [],
    answers: { identifier: username, password },
    picks: [],
    signedIn: { url: startUrl, text: /Deploy/ },
    ...running,
  };
}
