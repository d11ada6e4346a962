-- renew: prolong the leases of live members of one project. A lapsed lease stays lapsed: its slot may be someone else's by now.
-- KEYS  1 members of the organization  2 members of the project  3 ready marker
-- ARGV  1 lease, ms  2 life of the ready marker, ms  3… members
-- reply positions (from 1) of the members that are gone · {-2} not ready
if redis.call('GET', KEYS[3]) ~= LIFE then return {-2} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local lease_end = now + ARGV[1]
local gone = {}
for position = 3, #ARGV do
  local member = ARGV[position]
  local current = redis.call('ZSCORE', KEYS[1], member)
  if current and tonumber(current) >= now then
    redis.call('ZADD', KEYS[1], 'XX', 'GT', lease_end, member)
    redis.call('ZADD', KEYS[2], 'XX', 'GT', lease_end, member)
  else
    gone[#gone + 1] = position - 2
  end
end
redis.call('PEXPIRE', KEYS[3], ARGV[2])
return gone
