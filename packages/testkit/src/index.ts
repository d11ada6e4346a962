export * from './website/index.js';
