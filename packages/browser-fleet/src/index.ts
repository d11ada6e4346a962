export { type Addressed, baseUrl, bidiUrl, cdpUrl } from './addresses.js';
export { hostChannel, HostNotice, sessionChannel, SessionNotice } from './channels.js';
export { type LaunchJob, launchJobOptions, launchQueueName } from './launch-queue.js';
export { type Door, isSessionToken, sessionToken } from './tokens.js';
