export { connectCluster, connectRedis } from './client.js';
export { LiveSessions, type LiveSessionsOptions } from './live-sessions.js';
export { poolMembers } from './members.js';
export * from './types.js';
