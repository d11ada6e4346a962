-- acquire: a slot in the organization and in its project for each member in turn, both or none.
-- KEYS  1 members of the organization  2 members of the project  3 ready marker
-- ARGV  1 organization's cap  2 project's cap, -1 for none  3 lease, ms  4… members
-- reply {-2} not ready · else three numbers a member: verdict, used by organization, used by project
--       verdict 1 admitted, or held already (a retry is not refused at the cap) · 0 organization full · -1 project full
-- Dead members are left where they are: they do not count, so nothing needs sweeping here.
local call = redis.call
if call('GET', KEYS[3]) ~= LIFE then return {-2} end
local time = call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
-- As text: a number is formatted anew for every command it is given to.
local from, lease_end = string.format('%.0f', now), string.format('%.0f', now + ARGV[3])
local organization, project = call('ZCOUNT', KEYS[1], from, '+inf'), call('ZCOUNT', KEYS[2], from, '+inf')
local organization_cap, project_cap = tonumber(ARGV[1]), tonumber(ARGV[2])
if project_cap < 0 then project_cap = math.huge end

local function held(member)
  local current = call('ZSCORE', KEYS[1], member)
  return current and tonumber(current) >= now
end

local reply = {}
for position = 4, #ARGV do
  local member, verdict = ARGV[position], 1
  if project >= project_cap then verdict = -1 elseif organization >= organization_cap then verdict = 0 end
  if verdict < 1 and held(member) then verdict = 1 end
  if verdict == 1 then
    local added = call('ZADD', KEYS[1], 'GT', lease_end, member)
    call('ZADD', KEYS[2], 'GT', lease_end, member)
    if added == 1 then
      organization, project = organization + 1, project + 1
    else
      -- It was there, alive or dead: only a second look tells whether it was among those counted.
      organization, project = call('ZCOUNT', KEYS[1], from, '+inf'), call('ZCOUNT', KEYS[2], from, '+inf')
    end
  end
  local last = #reply
  reply[last + 1], reply[last + 2], reply[last + 3] = verdict, organization, project
end
return reply
