-- resize_pool: make a pool's reservation exactly `size` slots. Growing is all or none, shrinking is never refused.
-- Slots are members `<prefix>1` … `<prefix>size`. O(log n) a slot.
-- KEYS  1 members of the organization  2 members of the project  3 ready marker  4 suspects
-- ARGV  1 prefix  2 size  3 organization's cap  4 project's cap, -1 for none  5 lease of new slots, ms
-- reply {1, used by organization, used by project} · {0, used} organization full · {-1, used} project full · {-2} not ready
local size = tonumber(ARGV[2])
if size > 0 and redis.call('GET', KEYS[3]) ~= LIFE then return {-2} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local cap = tonumber(ARGV[4])
local over_project = cap >= 0 and size > cap
if over_project or size > tonumber(ARGV[3]) then
  -- More than a cap can never be had anew, so it is refused before any slot is looked at: a size is a number that anybody may send.
  local last = redis.call('ZSCORE', KEYS[1], ARGV[1] .. size)
  if not last or tonumber(last) < now then
    if over_project then return {-1, redis.call('ZCOUNT', KEYS[2], now, '+inf')} end
    return {0, redis.call('ZCOUNT', KEYS[1], now, '+inf')}
  end
end
local missing = {}
for n = 1, size do
  local lease_end = redis.call('ZSCORE', KEYS[1], ARGV[1] .. n)
  if not lease_end or tonumber(lease_end) < now then missing[#missing + 1] = ARGV[1] .. n end
end
if #missing > 0 then
  local organization = redis.call('ZCOUNT', KEYS[1], now, '+inf')
  local project = redis.call('ZCOUNT', KEYS[2], now, '+inf')
  if cap >= 0 and project + #missing > cap then return {-1, project} end
  if organization + #missing > tonumber(ARGV[3]) then return {0, organization} end
  local lease_end = now + ARGV[5]
  for _, member in ipairs(missing) do
    redis.call('ZADD', KEYS[1], 'GT', lease_end, member)
    redis.call('ZADD', KEYS[2], 'GT', lease_end, member)
    redis.call('ZREM', KEYS[4], member) -- a slot taken anew starts a new grace
  end
end
local n = size + 1
while redis.call('ZREM', KEYS[1], ARGV[1] .. n) == 1 do
  redis.call('ZREM', KEYS[2], ARGV[1] .. n)
  n = n + 1
end
return {1, redis.call('ZCOUNT', KEYS[1], now, '+inf'), redis.call('ZCOUNT', KEYS[2], now, '+inf')}
