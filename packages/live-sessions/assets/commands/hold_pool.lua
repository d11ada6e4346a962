-- hold_pool: the pool's row is committed, so its slots stop lapsing. The row is the truth: caps are not asked again.
-- KEYS  1 members of the organization  2 members of the project  3 ready marker
-- ARGV  1 prefix  2 size
-- reply {1} · {-2} not ready
if redis.call('GET', KEYS[3]) ~= LIFE then return {-2} end
for n = 1, tonumber(ARGV[2]) do
  redis.call('ZADD', KEYS[1], 'GT', '+inf', ARGV[1] .. n)
  redis.call('ZADD', KEYS[2], 'GT', '+inf', ARGV[1] .. n)
end
return {1}
