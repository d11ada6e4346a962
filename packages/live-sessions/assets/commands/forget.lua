-- forget: delete dead members of one project, looking again first: one of them may have been acquired anew since it was listed.
-- KEYS  1 members of the organization  2 members of the project
-- ARGV  1 retention, ms  2… members
-- reply how many were deleted
local time = redis.call('TIME')
local cutoff = time[1] * 1000 + math.floor(time[2] / 1000) - ARGV[1]
local deleted = 0
for position = 2, #ARGV do
  local lease_end = redis.call('ZSCORE', KEYS[1], ARGV[position])
  if lease_end and tonumber(lease_end) < cutoff then
    redis.call('ZREM', KEYS[1], ARGV[position])
    redis.call('ZREM', KEYS[2], ARGV[position])
    deleted = deleted + 1
  end
end
return deleted
