-- usage: live members of the organization and, when its key is given, of one project.
-- KEYS  1 ready marker  2 members of the organization  3 members of the project, may be absent
-- ARGV  none
-- reply {used by organization, used by project} · {-2} not ready
if redis.call('GET', KEYS[1]) ~= LIFE then return {-2} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local used = {redis.call('ZCOUNT', KEYS[2], now, '+inf')}
if KEYS[3] then used[2] = redis.call('ZCOUNT', KEYS[3], now, '+inf') end
return used
