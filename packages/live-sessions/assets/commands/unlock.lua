-- unlock: give the lock back after a failure, unless it is someone else's by now.
-- KEYS  1 lock
-- ARGV  1 token
-- reply 1 given back · 0 not ours
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
