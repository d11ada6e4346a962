-- resize_pool: make a pool's reservation exactly `size` slots. Growing is all or none, shrinking is never refused.
-- Slots are members `<prefix>1` … `<prefix>size`. O(log n) a slot.
-- KEYS  1 members of the organization  2 members of the project  3 ready marker  4 suspects
-- ARGV  1 prefix  2 size  3 organization's cap  4 project's cap, -1 for none  5 lease of new slots, ms
-- reply {-2} not ready · else verdict, used by organization, used by project; verdict 1 reserved · 0 organization full · -1 project full
local size = tonumber(ARGV[2])
if size > 0 and redis.call('GET', KEYS[3]) ~= LIFE then return {-2} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local organization = redis.call('ZCOUNT', KEYS[1], now, '+inf')
local project = redis.call('ZCOUNT', KEYS[2], now, '+inf')
local cap = tonumber(ARGV[4])
local room = tonumber(ARGV[3]) - organization
local missing = {}
for n = 1, size do
  local lease_end = redis.call('ZSCORE', KEYS[1], ARGV[1] .. n)
  if not lease_end or tonumber(lease_end) < now then
    missing[#missing + 1] = ARGV[1] .. n
    -- Refused at the first slot too many: a size is a number that anybody may send, and the caps bound how many slots are looked at.
    if cap >= 0 and #missing > cap - project then return {-1, organization, project} end
    if cap < 0 and #missing > room then return {0, organization, project} end
  end
end
if #missing > 0 then
  if #missing > room then return {0, organization, project} end
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
