import type { English } from '../english.ts';
import type { connect as zh } from '../zh/connect.ts';

export const connect: English<typeof zh> = {
  title: 'How to connect',
  lead: 'Choose the client that you use, and give it this address and one of your API keys.',
  key: 'API key',
  copy: 'Copy',
  copied: 'Example copied',
  'first-steps': 'Get started',
  'step-done': 'Done',
  'step.channel': 'Add a channel',
  'step.channel-hint': 'The address, key and models of the provider that answers the calls.',
  'step.price': 'Check the prices',
  'step.price-hint': 'Models without a price refuse calls. Set prices in the operation settings.',
  'step.token': 'Create an API key',
  'step.token-hint':
    'Clients use it to call models. It can be limited in quota, models and lifetime.',
  'step.call': 'Make the first call',
  'step.call-hint':
    'Chat in the playground, or copy an example from “How to connect” on the API keys page.',
  'test.add': 'Add the test provider',
  'test.hint': 'For trying out: made-up answers from 127.0.0.1:4010, no real provider.',
  'test.name': 'Test provider (made-up answers)',
  'test.added': 'Test provider added',
  'test.none':
    'Nothing answers on 127.0.0.1:4010. Start the test provider in a second terminal, then try again:',
};
