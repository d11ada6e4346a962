export { canReauth, type CanReauth, credentialKeyFor, type ReauthFacts, Requirements, type StoredCredential } from './can-reauth.js';
export { answerChannel, connectionChannel, lookAgain, PublishedState } from './channel.js';
export { credentialPurposes } from './credential-purposes.js';
export { hostedUrl } from './hosted-link.js';
export { isActionable } from './interaction.js';
export { mask } from './mask.js';
export { type ChoiceToName, type FieldToName, nameAll, type Named, Names, noNames } from './naming.js';
export { type Publisher, redisPublisher, type StateMessage } from './publisher.js';
export { type LoginJob, loginJobId, loginJobOptions, loginQueueName, openLoginQueue, ownerLease } from './queue.js';
export { startAddress } from './start-address.js';
export { firstState, FlowState, type Offer, OfferedChoice, OfferedField, StateSummary, summaryOf } from './state.js';
export { type FlowEvent, step } from './step.js';
export { advance, finishSaved, remember } from './store/advance.js';
export { answerIn, storeAnswer, type Stored } from './store/answer.js';
export type { Changes } from './store/commit.js';
export { cancelFlow, closeFlow, closeOverdue, retireConnection } from './store/end.js';
export type { BrowserToEnd, FlowStore } from './store/flow-store.js';
export { connectionsChangedSince, type Followed, type FollowedFlow, readFollowed } from './store/follow.js';
export { claimFlow, type ClaimedFlow, FlowLost, type FlowPulse, handOver, type OwnedFlow, renewOwnership } from './store/ownership.js';
export {
  type HostedFlow,
  isRunning,
  readCurrentFlow,
  readCurrentStates,
  readFlow,
  readHostedFlow,
  readStanding,
  type Standing,
} from './store/read.js';
export { type FlowConnection, wellFormed } from './store/rows.js';
export { startFlow, type Started, type StartRequest } from './store/start.js';
export { type Enqueue, sweepFlows, type SweepReport } from './store/sweep.js';
export { Answer, readSubmission, type Submission } from './submission.js';
export { endings, followers, isPause, isTerminal } from './transitions.js';
export { eventOf, flowDeadline, recordPartOf, stateOf, stateView, timelineEntryOf, type ViewContext } from './view.js';
