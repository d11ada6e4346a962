export * from './stores/index.js';
export * from './website/index.js';
