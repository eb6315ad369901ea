/** A function that builds a value on its first call and returns it again later. */
export function once<Value>(build: () => Value): () => Value {
  let built: { value: Value } | undefined
  return () => {
    built ??= { value: build() }
    return built.value
  }
}
