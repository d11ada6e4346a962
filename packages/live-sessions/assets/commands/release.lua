-- release: give slots of one project back. Idempotent, and needs no ready marker: what is not there cannot be taken away.
-- KEYS  1 members of the organization  2 members of the project
-- ARGV  members
-- reply positions in ARGV of those that were there
local there = {}
for position, member in ipairs(ARGV) do
  if redis.call('ZREM', KEYS[1], member) == 1 then there[#there + 1] = position end
  redis.call('ZREM', KEYS[2], member)
end
return there
