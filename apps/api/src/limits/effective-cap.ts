export { available, effectiveCap, organizationLimit, type PlanLimits, type StoredOrganizationCaps } from '@berth/live-sessions';
