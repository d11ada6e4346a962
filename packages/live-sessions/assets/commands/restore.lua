-- restore: give rows of one project their members back, without asking the caps (a row is the truth). Only for the holder of the lock.
-- A row that is held (a pool's slot) never lapses. Of the others `lost` restores those that are absent and leaves lapsed ones
-- lapsed; `all` revives those too, for then nobody could renew.
-- KEYS  1 members of the organization  2 members of the project  3 lock
-- ARGV  1 token of the lock  2 `lost` or `all`  3… pairs: lease in ms or `inf`, member
-- reply positions (from 1) of the pairs that were not live and now are · {-3} lock lost
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return {-3} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local restored = {}
for position = 3, #ARGV, 2 do
  local held, member = ARGV[position] == 'inf', ARGV[position + 1]
  local current = redis.call('ZSCORE', KEYS[1], member)
  local lapsed = current and tonumber(current) < now
  if held or not current or (lapsed and ARGV[2] == 'all') then
    local lease_end = held and '+inf' or now + ARGV[position]
    redis.call('ZADD', KEYS[1], 'GT', lease_end, member)
    redis.call('ZADD', KEYS[2], 'GT', lease_end, member)
    if not current or lapsed then restored[#restored + 1] = (position - 1) / 2 end
  end
end
return restored
