export {
  type IdSource,
  type Placement,
  Placer,
  type PlacerOptions,
  type Shortage,
  type Swap,
} from './placer.ts'
