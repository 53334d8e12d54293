"""Requests of the API, described but not sent. The sync and the async client send the same ones."""
