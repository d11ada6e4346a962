export { answerChannel, connectionChannel, PublishedState } from './channel.js';
export { type LoginJob, loginJobId, loginJobOptions, loginQueueName } from './queue.js';
export { FlowState } from './state.js';
