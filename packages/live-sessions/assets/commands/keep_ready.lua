-- keep_ready: prolong a marker that still stands (never make one) and give the lock back.
-- KEYS  1 ready marker  2 lock
-- ARGV  1 token of the lock  2 life of the marker, ms
-- reply 1 ready · 0 not ready
local ready = redis.call('GET', KEYS[1]) == LIFE
if ready then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
if redis.call('GET', KEYS[2]) == ARGV[1] then redis.call('DEL', KEYS[2]) end
return ready and 1 or 0
