-- release: give slots of one project back. Idempotent, and needs no ready marker: what is not there cannot be taken away.
-- KEYS  1 members of the organization  2 members of the project
-- ARGV  members
-- reply 1 or 0 for each member: whether it was there
local call = redis.call
local there = {}
for position, member in ipairs(ARGV) do
  there[position] = call('ZREM', KEYS[1], member)
  call('ZREM', KEYS[2], member)
end
return there
