-- suspect: remember since when members have been seen without a row; tell which have been so for the whole grace.
-- KEYS  1 suspects, score = first seen
-- ARGV  1 grace, ms  2 how many are cleared  3… those cleared, then those seen without a row
-- reply positions (from 1) among the seen of those whose grace is over
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local seen_from = 3 + tonumber(ARGV[2])
for position = 3, seen_from - 1 do redis.call('ZREM', KEYS[1], ARGV[position]) end
local over = {}
for position = seen_from, #ARGV do
  redis.call('ZADD', KEYS[1], 'NX', now, ARGV[position])
  if tonumber(redis.call('ZSCORE', KEYS[1], ARGV[position])) <= now - ARGV[1] then over[#over + 1] = position - seen_from + 1 end
end
return over
