export { buildAccount, newTotpSecret, totpCode, type Account, type NewAccount } from './accounts.js';
export type { AnswerKey, DriverAct, ErrorCode, Expectation, ExpectedChoice, ExpectedField, Pause, Scenario } from './scenario.js';
export { scenarioByName, scenarios } from './scenarios/index.js';
export type { Counts, StepCount, Submission, Verdict } from './stats.js';
export { startWebsite, type Website, type WebsiteOptions } from './website.js';
