import { randomUUID } from 'node:crypto';
import gossipPb from '@eventstore/db-client/generated/gossip_pb.js';
import sharedPb from '@eventstore/db-client/generated/shared_pb.js';
import type { ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';

type ClusterInfo = InstanceType<typeof gossipPb.ClusterInfo>;

const ticksPerMillisecond = 10_000n;

/** A cluster of one, which leads. Clients that discover nodes request it. */
export const gossipHandler = (
  address: () => Readonly<{ host: string; port: number }>,
): ((call: ServerUnaryCall<unknown, ClusterInfo>, answer: sendUnaryData<ClusterInfo>) => void) => {
  const instanceId = new sharedPb.UUID();
  instanceId.setString(randomUUID());
  return (_call, answer) => {
    const { host, port } = address();
    const endPoint = new gossipPb.EndPoint();
    endPoint.setAddress(host);
    endPoint.setPort(port);
    const member = new gossipPb.MemberInfo();
    member.setInstanceId(instanceId);
    member.setTimeStamp(String(BigInt(Date.now()) * ticksPerMillisecond));
    member.setState(gossipPb.MemberInfo.VNodeState.LEADER);
    member.setIsAlive(true);
    member.setHttpEndPoint(endPoint);
    const cluster = new gossipPb.ClusterInfo();
    cluster.setMembersList([member]);
    answer(null, cluster);
  };
};
