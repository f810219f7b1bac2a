import type { English } from '../english.ts';
import type { chat as zh } from '../zh/chat.ts';

export const chat: English<typeof zh> = {
  opening: 'Opening the chat …',
  redirecting: 'Loading, please wait …',
  silent: 'The chat did not load; please open it by hand',
  jump: 'Open in a new tab',
  program: 'This link opens a program on your device.',
  'bad-link': 'The chat link is not set up correctly; please tell an administrator',
  none: 'No chat is set up',
  'none-hint': 'Please ask an administrator to set up chat links',
  'no-key': 'There is no enabled API key. Enable one of your keys first.',
};
