"""What an instance throws and nobody in it receives, as posts for others."""

from __future__ import annotations

from engine.instance import Instance
from engine.post import Post
from engine.spiff.messages import Message


def drain_posts(instance: Instance) -> list[Post]:
    """What was thrown since the last call, and is no longer kept in the instance: others may receive it."""
    workflow = instance.workflow
    posts = [_message(instance.id, number, each) for number, each in sorted(workflow.mailbox.leave().items())]
    for name in workflow.signals:
        workflow.counter += 1
        posts.append(
            Post(id=f"{instance.id}/{workflow.counter}", kind="signal", name=name, topics=(("signal", name),),
                 sender=instance.id)
        )  # fmt: skip
    workflow.signals.clear()
    instance.posted = instance.posted or bool(posts)
    return posts


def message_of(post: Post) -> Message:
    """A message as it arrives."""
    return Message(post.name, post.topics, post.payload, post.key, post.until)


def _message(sender: str, number: int, message: Message) -> Post:
    return Post(
        id=f"{sender}/{number}",
        kind="message",
        name=message.name,
        topics=message.topics,
        sender=sender,
        payload=message.payload,
        key=message.key,
        until=message.until,
    )
