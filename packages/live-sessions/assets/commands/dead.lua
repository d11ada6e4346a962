-- dead: members whose lease ended longer ago than the retention, oldest first.
-- KEYS  1 members of the organization
-- ARGV  1 retention, ms  2 at most
-- reply members
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
return redis.call('ZRANGE', KEYS[1], '-inf', '(' .. string.format('%.0f', now - ARGV[1]), 'BYSCORE', 'LIMIT', 0, ARGV[2])
