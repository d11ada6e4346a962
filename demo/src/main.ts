/** `npm run demo`: the main job, shown on real parts. Exits 0 when everything held, and leaves no process behind. */
import type { OrganizationLimits, Project } from '@berth/schema';
import { buildAccount, newTotpSecret, startWebsite } from '@berth/testkit';
import { Client } from './client.js';
import { showConcurrency } from './concurrency.js';
import { type Deployment, launchBerth } from './deployment.js';
import { showManagedLogin, showSavedProfile } from './managed-login.js';
import { chapter, expect, tell } from './terminal.js';

async function show(deployment: Deployment): Promise<void> {
  const website = await startWebsite();
  try {
    const account = buildAccount({ totpSecret: newTotpSecret() });
    website.addAccount(account);
    chapter('A project of its own');
    const berth = new Client(deployment.url, deployment.key);
    const project = await berth.call<Project>('POST', '/org/projects', { name: 'Tour' });
    tell(`project ${project.id} "${project.name}" is ${project.status}`);
    const inProject = berth.inProject(project.id);
    await showConcurrency(inProject, project.id, website.url);
    await showManagedLogin(inProject, website, account);
    await showSavedProfile(inProject, website, account, deployment.folder);
    chapter('Everything ended');
    const limits = await berth.call<OrganizationLimits>('GET', '/org/limits');
    expect(limits.concurrent_sessions_used === 0, `usage is back at 0 (is ${String(limits.concurrent_sessions_used)})`);
    tell(`organization: ${limits.concurrent_sessions_used} of ${limits.max_concurrent_sessions} browsers in use`);
  } finally {
    await website.stop();
  }
}

let failed = false;
chapter('Starting Berth: PostgreSQL, Redis, API, worker, browser host');
const deployment = await launchBerth(process.env);
const interrupted = (): void => void deployment.stop().finally(() => process.exit(130));
process.once('SIGINT', interrupted).once('SIGTERM', interrupted);
try {
  await show(deployment);
} catch (error) {
  failed = true;
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
} finally {
  await deployment.stop();
}
chapter(failed ? 'The demo failed' : 'Done');
process.exitCode = failed ? 1 : 0;
