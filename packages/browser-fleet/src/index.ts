export { type Addressed, baseUrl, bidiUrl, cdpUrl } from './addresses.js';
export type { CdpSession } from './profile/cdp-session.js';
export { announceSession, hostChannel, HostNotice, notifyHost, parseNotice, type Publisher, sessionChannel, SessionNotice } from './channels.js';
export { endReasons, type EndReason, endRow, type EndingPorts, requestEnd, type SlotReleaser } from './ending.js';
export {
  cancelLaunch, type LaunchJob, launchJobOptions, type LaunchQueue, launchQueueName, openLaunchQueue, requestLaunch,
} from './launch-queue.js';
export { liveRows } from './live-rows.js';
export { SessionWatcher, type SessionStanding, type Subscriber } from './session-watcher.js';
export { endSessionsOfDeadHosts, endStaleEnding, endUnclaimedLaunches } from './sweeps.js';
export { type Door, isSessionToken, sessionToken } from './tokens.js';
