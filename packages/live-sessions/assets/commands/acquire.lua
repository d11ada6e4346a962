-- acquire: one slot in the organization and in its project, both or none.
-- KEYS  1 members of the organization  2 members of the project  3 ready marker
-- ARGV  1 member  2 organization's cap  3 project's cap, -1 for none  4 lease, ms
-- reply {1, used by organization, used by project}  admitted, or held already (a retry is not refused at the cap)
--       {0, used} organization full · {-1, used} project full · {-2} not ready
-- Dead members are left where they are: they do not count, so nothing needs sweeping here.
if redis.call('GET', KEYS[3]) ~= LIFE then return {-2} end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local organization = redis.call('ZCOUNT', KEYS[1], now, '+inf')
local project = redis.call('ZCOUNT', KEYS[2], now, '+inf')
local cap = tonumber(ARGV[3])
local project_full = cap >= 0 and project >= cap
if project_full or organization >= tonumber(ARGV[2]) then
  local lease_end = redis.call('ZSCORE', KEYS[1], ARGV[1])
  if not lease_end or tonumber(lease_end) < now then
    if project_full then return {-1, project} end
    return {0, organization}
  end
end
local lease_end = now + ARGV[4]
local added = redis.call('ZADD', KEYS[1], 'GT', lease_end, ARGV[1])
redis.call('ZADD', KEYS[2], 'GT', lease_end, ARGV[1])
if added == 1 then return {1, organization + 1, project + 1} end
-- It was there, alive or dead: only a second look tells whether it was among those counted.
return {1, redis.call('ZCOUNT', KEYS[1], now, '+inf'), redis.call('ZCOUNT', KEYS[2], now, '+inf')}
