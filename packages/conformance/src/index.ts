export { type CounterHost, type CounterSuite, counterSuite } from './counter.suite.ts'
export { type DirectoryHost, type DirectorySuite, directorySuite } from './directory.suite.ts'
export { type ExecutorHost, type ExecutorSuite, executorSuite } from './executor.suite.ts'
export { executor53Suite } from './executor-53.suite.ts'
export { executorLifeSuite } from './executor-life.suite.ts'
export {
  type Fault,
  type FaultPlan,
  type FaultRates,
  type FaultyCall,
  randomFaults,
  scriptedFaults,
} from './faults.ts'
export { type FaultyExecutor, faultyExecutor } from './faulty-executor.ts'
export { type FenceHost, type FenceSuite, fenceSuite } from './fence.suite.ts'
export { type LeaseHost, type LeaseSuite, leaseSuite } from './lease.suite.ts'
export { type RegistryHost, type RegistrySuite, registrySuite } from './registry.suite.ts'
export { type Ending, type HangUp, type TcpProxy, tcpProxy } from './tcp-proxy.ts'
export { type WorkerLeaseHost, type WorkerLeaseSuite, workerLeaseSuite } from './worker-lease.suite.ts'
