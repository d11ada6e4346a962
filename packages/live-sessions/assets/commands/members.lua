-- members: one page of the organization's members, dead ones included, by rank.
-- KEYS  1 ready marker  2 members of the organization
-- ARGV  1 first rank  2 last rank
-- reply {now, member, lease end, member, lease end, …} · {-2} not ready
if redis.call('GET', KEYS[1]) ~= LIFE then return {-2} end
local time = redis.call('TIME')
local page = redis.call('ZRANGE', KEYS[2], ARGV[1], ARGV[2], 'WITHSCORES')
table.insert(page, 1, time[1] * 1000 + math.floor(time[2] / 1000))
return page
