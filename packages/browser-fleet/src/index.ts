export { type Addressed, baseUrl, bidiUrl, cdpUrl, profileUrl } from './addresses.js';
export {
  announceSession,
  hostChannel,
  hostListens,
  HostNotice,
  type Listeners,
  notifyHost,
  parseNotice,
  type Publisher,
  sessionChannel,
  SessionNotice,
} from './channels.js';
export { endReasons, type EndReason, endRow, type EndingPorts, freeEnded, requestEnd, type SlotReleaser } from './ending.js';
export { handOn, handOnFromDeadHosts, waitingAgain } from './handing-on.js';
export {
  cancelLaunch,
  type LaunchJob,
  launchJobOptions,
  launchLeaseMs,
  type LaunchQueue,
  launchQueueName,
  openLaunchQueue,
  reconnectSoon,
  requestLaunch,
} from './launch-queue.js';
export { type DoorState, knock, lifeUrl } from './knock.js';
export { liveRows } from './live-rows.js';
export {
  maxProfileBytes,
  openProfile,
  ProfileCookie,
  ProfileDocument,
  ProfileOrigin,
  profilePurpose,
  ProfileTooLarge,
  sealProfile,
} from './profile/document.js';
export { fetchProfile } from './profile/fetch-profile.js';
export { keepChanges } from './profile/keep-changes.js';
export { mergeProfiles } from './profile/merge.js';
export { ProfileReading } from './profile/reading.js';
export { SessionWatcher, type SessionStanding, type Subscriber } from './session-watcher.js';
export { DeadHosts, endStaleEnding, endUnclaimedLaunches, forgetHosts } from './sweeps.js';
export { type Door, isSessionToken, sessionToken } from './tokens.js';
