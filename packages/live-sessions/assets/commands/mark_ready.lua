-- mark_ready: usage is rebuilt; admission may go on in this life of Redis. Gives the lock back.
-- KEYS  1 ready marker  2 lock
-- ARGV  1 token of the lock  2 life of the marker, ms
-- reply 1 · 0 lock lost
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], LIFE, 'PX', ARGV[2])
redis.call('DEL', KEYS[2])
return 1
