import { createRequire } from 'node:module';
import { allowTlsToAddresses } from '../net/tls-addresses.ts';
import { channelTargetOf } from './socket-address.ts';

/*
 * HTTP/2 allows 64 KB under way before the receiver has to grant more room: about fifty events. A
 * reader that is at work on a batch for some milliseconds stops the store after as many. The client
 * has no setting for it, so its channels get one here, and with it the connection to a unix socket.
 */

type Channels = { ChannelImplementation: typeof import('@grpc/grpc-js').Channel };

const channels = createRequire(import.meta.url)('@grpc/grpc-js/build/src/channel.js') as Channels;
const { ChannelImplementation } = channels;

/** About a thousand events; more made no difference. */
export const windowBytes = 1024 * 1024;

class WideChannel extends ChannelImplementation {
  readonly #target: string;

  constructor(
    ...[target, credentials, options]: ConstructorParameters<typeof ChannelImplementation>
  ) {
    super(channelTargetOf(target), credentials, {
      'grpc-node.flow_control_window': windowBytes,
      ...options,
    });
    this.#target = target;
  }

  /** The client takes host and port of a failed channel out of this. */
  override getTarget(): string {
    const target = super.getTarget();
    return target.startsWith('unix:') ? `dns:${this.#target}` : target;
  }
}

/** For every channel of this process that is made from now on; doing it again is harmless. */
export const widenFlowWindow = (): void => {
  channels.ChannelImplementation = WideChannel;
  allowTlsToAddresses();
};
