export { browserProcesses } from './browser-processes.js';
export * from './stores/index.js';
export * from './website/index.js';
