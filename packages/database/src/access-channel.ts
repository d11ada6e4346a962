/**
 * Redis channel on which whoever changed an organization's credentials, projects or settings tells its id. API processes keep those facts
 * for `BERTH_KEY_CACHE_SECONDS` at most and drop them when they hear of a change (D5, D10).
 */
export const accessChannel = 'berth:access-changed';
