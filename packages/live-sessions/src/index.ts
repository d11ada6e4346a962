export { connectCluster, connectRedis } from './client.js';
export { available, effectiveCap, organizationLimit, type PlanLimits, type StoredOrganizationCaps } from './effective-cap.js';
export { LiveSessions, type LiveSessionsOptions } from './live-sessions.js';
export { poolMembers } from './members.js';
export { connectSubscriber } from './subscriber.js';
export * from './types.js';
