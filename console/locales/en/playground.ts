import type { English } from '../english.ts';
import type { playground as zh } from '../zh/playground.ts';

export const playground: English<typeof zh> = {
  title: 'Playground',
  settings: 'Model settings',
  group: 'Group',
  'user-group': 'User group',
  model: 'Model',
  'choose-model': 'Choose a model',
  temperature: 'Temperature: {{value}}',
  'temperature-label': 'Temperature',
  'max-tokens': 'Max tokens',
  'max-tokens-hint': 'Empty: the model decides',
  system: 'System',
  you: 'You',
  assistant: 'Assistant',
  waiting: 'Waiting for the answer',
  stopped: 'Stopped',
  conversation: 'Conversation',
  empty: 'Start a conversation',
  'empty-hint': 'Messages really call the model and are charged to your balance.',
  message: 'Message',
  placeholder: 'Write a message. Enter sends, Shift + Enter makes a new line',
  send: 'Send',
  stop: 'Stop',
  clear: 'Clear context',
};
