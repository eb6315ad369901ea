/** Yields one item, such as the only page of a download. */
export async function* single<Item>(item: Item): AsyncGenerator<Item, void> {
  yield item
}
